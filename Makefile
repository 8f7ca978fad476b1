# A short front for CMake and Ninja. `make help` lists the targets.
.PHONY: all demo test bench clean format format-check help
.DEFAULT_GOAL := all

all: ## build the library and the program into build/
	@tools/need-packages build
	@test -f build/build.ninja || cmake --preset release
	@cmake --build --preset release

demo: ## build, multiply matrices on the emulated tile, print where the cycles went
	@tools/need-packages build demo
	@cmake --preset release >/dev/null
	@cmake --build --preset release --target demo
	@tools/demo

test: ## build and run the whole suite: release, then both compilers with ASan and UBSan
	@tools/need-packages build test
	@tools/run-tests

bench: all ## build, then measure the speed of the emulator
	@tools/need-packages build bench
	@tools/bench

clean: ## remove build/
	rm -rf build

format: ## lay out the C sources with clang-format (tables, *.def, are left alone)
	@tools/need-packages format
	@tools/format

format-check: ## say which files `make format` would change
	@tools/need-packages format
	@tools/format --check

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "make %-13s %s\n", $$1, $$2 }' Makefile
