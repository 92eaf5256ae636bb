; LLVM's own print of upgrade-older.ll passes the checks ours passes.
; RUN: opt-22 -S %p/upgrade-older.ll | filecheck %p/upgrade-older.ll
