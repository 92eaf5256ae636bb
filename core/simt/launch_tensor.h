/* launch_tensor.h: tensor maps in launch files. */
#ifndef PS_SIMT_LAUNCH_TENSOR_H
#define PS_SIMT_LAUNCH_TENSOR_H

#include "base/checked.h"
#include "simt/json.h"
#include "simt/tensor_map.h"

/* Reads the object at *at; its address is 0. NULL, or what is wrong with the value that *at is then. */
const char *launch_tensor(const Json *j, u32 *at, SimtTensorMap *t);

#endif
