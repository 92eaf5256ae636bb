// args: 5 two words
// The C++ library beside kernels: containers, algorithms, random numbers, clocks, strings and streams; the program's arguments.
#include <algorithm>
#include <chrono>
#include <functional>
#include <iomanip>
#include <iostream>
#include <memory>
#include <numeric>
#include <random>
#include <string>
#include <vector>

__global__ void scale(double *x, int n, double by) {
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n)
		x[i] = std::sqrt(x[i] * by) + std::max(0, n - 1000);
}

struct Free {
	void operator()(void *p) const { cudaFree(p); }
};

int main(int argc, char **argv) {
	std::vector<double> x(std::stoi(argv[1]));
	std::iota(x.begin(), x.end(), 1.0);
	void *memory;
	cudaMalloc(&memory, x.size() * sizeof(double));
	std::unique_ptr<double, Free> device(static_cast<double *>(memory));
	auto begin = std::chrono::steady_clock::now();
	cudaMemcpy(device.get(), x.data(), x.size() * sizeof(double), cudaMemcpyHostToDevice);
	scale<<<1, 32>>>(device.get(), (int)x.size(), 4.0);
	cudaMemcpy(x.data(), device.get(), x.size() * sizeof(double), cudaMemcpyDeviceToHost);
	auto took = std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - begin).count();
	std::sort(x.begin(), x.end(), std::greater<double>());
	for (double v : x)
		std::cout << std::fixed << std::setprecision(3) << v << ' ';
	std::mt19937 numbers(42);
	std::string words;
	for (int i = 2; i < argc; i++)
		words += std::string(argv[i]) + (i + 1 < argc ? "+" : "");
	std::cout << '\n' << numbers() << ' ' << words << ' ' << (took > 0 ? "time passes" : "no time") << std::endl;
	return 0;
}
