package main

import (
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"

	"kota/bundles"
	"kota/cmd/kota/internal/mistake"
	"kota/cmd/kota/internal/signin"
	"kota/metadata"
)

// ownCommand is a command of KOTA's as advice quotes it.
var ownCommand = regexp.MustCompile("`kota ([a-z]+)[^`]*`")

// advise has the commands that a text names be about the owner whom it is for: one
// without would be about who runs the server. Whoever has it already keeps it.
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

// say prints KOTA's own words, advised. What is other people's, as mail is, does
// not come by here: it is printed as it is.
func (a *app) say(to io.Writer, format string, args ...any) error {
	_, err := io.WriteString(to, a.advise(fmt.Sprintf(format, args...)))
	return err
}

// advised returns what a command ended with as explain is to say it.
func (a *app) advised(err error) error {
	usage, answer := (*mistake.Error)(nil), (*metadata.Error)(nil)
	switch {
	case err == nil || a.config.Owner == "":
		return err
	case errors.As(err, &usage):
		return mistake.Errorf("%s", a.advise(usage.Error()))
	case errors.As(err, &answer):
		return answer.Advised(a.advise)
	}
	return errors.New(a.advise(err.Error()))
}

func (a *app) advisedItem(item bundles.OutboxItem) bundles.OutboxItem {
	item.Error, item.Next = a.advise(item.Error), a.advise(item.Next)
	return item
}

func (a *app) advisedTrouble(t signin.Trouble) signin.Trouble {
	return signin.Trouble{Problem: a.advise(t.Problem), Remedy: a.advise(t.Remedy)}
}

// ownerless are the commands that are about no one person's things.
var ownerless = []string{"install", "uninstall", "http", "bundles", "profiles", "owners", "docs", "version"}
