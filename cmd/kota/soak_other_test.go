//go:build !linux

package main

// watched is the program; what it holds is not looked at here.
func watched() { main() }
