target datalayout = "e-i64:63-x"
target triple = "nvptx64-nvidia-cuda"
