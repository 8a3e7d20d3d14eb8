//go:build !linux

package main

// runWatched is the program; its resources are not measured here.
func runWatched() { main() }
