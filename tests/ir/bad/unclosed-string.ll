source_filename = "kernel.cu
target triple = "nvptx64-nvidia-cuda"
