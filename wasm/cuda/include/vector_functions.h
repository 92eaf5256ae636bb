/* A part of CUDA's runtime, all of which is there anyway. */
#pragma once

#include <cuda_runtime.h>
