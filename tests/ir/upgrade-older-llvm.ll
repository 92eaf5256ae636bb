; LLVM's own print of upgrade-older.ll passes the checks ours passes.
; RUN: opt-19 -S %p/upgrade-older.ll | filecheck --check-prefixes=CHECK,LLVM %p/upgrade-older.ll
