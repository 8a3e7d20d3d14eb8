//go:build race

package main

// underRace says that the race detector watches, which takes memory and time of
// its own.
const underRace = true
