//go:build !race

package gmail_test

const underRace = false
