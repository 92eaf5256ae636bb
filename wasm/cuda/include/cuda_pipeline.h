/* The primitives of asynchronous copies: a thread copies 4, 8 or 16 bytes to shared memory, closes groups, and waits for them. */
#pragma once

#include <cuda_pipeline_primitives.h>
