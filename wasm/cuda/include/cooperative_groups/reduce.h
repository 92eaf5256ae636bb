/* cooperative_groups::reduce and its operations. */
#pragma once

#include <cooperative_groups.h>
