{
  "kernel": "saxpy", "grid": [4, 1, 1]
}
