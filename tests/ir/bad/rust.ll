fn kernel(x: &[f32]) {
  let i = 1;
}
