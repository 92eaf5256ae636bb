               OpCapability Shader
               OpMemoryModel Logical GLSL450
