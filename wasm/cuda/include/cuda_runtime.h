/* CUDA C++ as nvcc's programs find it without including anything: included in front of every source. */
#pragma once

#include <ptxscope/define.h>
#include <ptxscope/vectors.h>
#include <ptxscope/indices.h>
#include <ptxscope/sync.h>
#include <ptxscope/warp.h>
#include <ptxscope/atomics.h>
#include <ptxscope/integer.h>
#include <ptxscope/simd.h>
#include <ptxscope/convert.h>
#include <ptxscope/memory.h>
#include <ptxscope/textures.h>
#include <ptxscope/host.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <new>
