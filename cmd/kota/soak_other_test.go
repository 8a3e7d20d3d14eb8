//go:build !linux

package main

// watched is the program; its resources are not measured here.
func watched() { main() }
