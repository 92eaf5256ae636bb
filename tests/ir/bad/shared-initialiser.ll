@tile = addrspace(3) global i32 7
