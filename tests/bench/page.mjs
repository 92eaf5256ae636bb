export const pageRows = [];
