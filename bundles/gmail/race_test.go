//go:build race

package gmail_test

// underRace reports that the race detector is on. It uses additional memory and time.
const underRace = true
