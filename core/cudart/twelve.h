/* twelve.h: functions of CUDA 13 by the names that they have in CUDA 12, where the plain names are those of older forms (twelve.c). */
#ifndef PS_CUDART_TWELVE_H
#define PS_CUDART_TWELVE_H

#define cudaGetDeviceProperties             cudaGetDeviceProperties_v2
#define cudaChooseDevice                    cudaChooseDevice_v2
#define cudaMemPrefetchAsync                cudaMemPrefetchAsync_v2
#define cudaMemAdvise                       cudaMemAdvise_v2
#define cudaGraphGetEdges                   cudaGraphGetEdges_v2
#define cudaGraphNodeGetDependencies        cudaGraphNodeGetDependencies_v2
#define cudaGraphNodeGetDependentNodes      cudaGraphNodeGetDependentNodes_v2
#define cudaGraphAddDependencies            cudaGraphAddDependencies_v2
#define cudaGraphRemoveDependencies         cudaGraphRemoveDependencies_v2
#define cudaGraphAddNode                    cudaGraphAddNode_v2
#define cudaStreamUpdateCaptureDependencies cudaStreamUpdateCaptureDependencies_v2
#define cudaStreamGetCaptureInfo            cudaStreamGetCaptureInfo_v3
/* Whose plain names also say which copy failed. */
#define cudaMemcpyBatchAsync   cudaMemcpyBatchAsync_13
#define cudaMemcpy3DBatchAsync cudaMemcpy3DBatchAsync_13

#endif
