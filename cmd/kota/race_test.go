//go:build race

package main

// raceEnabled says that the race detector is on, which takes memory and time.
const raceEnabled = true
