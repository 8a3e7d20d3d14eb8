//go:build race

package main

// underRace says that the race detector is on, which takes memory and time.
const underRace = true
