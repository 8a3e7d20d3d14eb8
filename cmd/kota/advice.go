package main

import (
	"regexp"
	"slices"
	"strings"
)

// ownCommand is a command of KOTA's as advice quotes it.
var ownCommand = regexp.MustCompile("`kota ([a-z]+)[^`]*`")

// advise has the commands that a text names be about the owner whom it is for.
// Whoever has it already keeps it.
func (a *app) advise(text string) string {
	if a.config.Owner == "" {
		return text
	}
	return ownCommand.ReplaceAllStringFunc(text, func(command string) string {
		if slices.Contains(ownerless, ownCommand.FindStringSubmatch(command)[1]) || strings.Contains(command, "--owner") {
			return command
		}
		return strings.TrimSuffix(command, "`") + " --owner " + a.config.Owner + "`"
	})
}
