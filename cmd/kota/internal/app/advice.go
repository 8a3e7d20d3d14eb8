package app

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

// quotedCommand matches a KOTA command in backquotes. Its group is the name of
// the command.
var quotedCommand = regexp.MustCompile("`kota ([a-z]+)[^`]*`")

// Advise adds --owner to the KOTA commands in backquotes in the text, so that
// they concern the owner who is served. Without the flag they would concern the
// user who runs the server. Commands in CommandsWithoutOwner, and commands that
// have --owner, stay unchanged. For the user who runs the server, Advise
// returns the text unchanged.
func (a *App) Advise(text string) string {
	if a.Config.Owner == "" {
		return text
	}
	return quotedCommand.ReplaceAllStringFunc(text, func(command string) string {
		if slices.Contains(CommandsWithoutOwner, quotedCommand.FindStringSubmatch(command)[1]) || strings.Contains(command, "--owner") {
			return command
		}
		return strings.TrimSuffix(command, "`") + " --owner " + a.Config.Owner + "`"
	})
}

// PrintAdvised prints KOTA's own words through Advise. Untrusted content such
// as mail must not go through PrintAdvised, which would change it.
func (a *App) PrintAdvised(to io.Writer, format string, args ...any) error {
	_, err := io.WriteString(to, a.Advise(fmt.Sprintf(format, args...)))
	return err
}

// adviseError returns the error of a command with its texts passed through Advise.
func (a *App) adviseError(err error) error {
	usage, answer := (*mistake.Error)(nil), (*metadata.Error)(nil)
	switch {
	case err == nil || a.Config.Owner == "":
		return err
	case errors.As(err, &usage):
		return mistake.Errorf("%s", a.Advise(usage.Error()))
	case errors.As(err, &answer):
		return answer.WithAdvice(a.Advise)
	}
	return errors.New(a.Advise(err.Error()))
}

// TextError returns the error as people read it. For a metadata.Error, the text
// is its message and, on the next line, its hint. Other errors stay unchanged.
func TextError(err error) error {
	usage, answer := (*mistake.Error)(nil), (*metadata.Error)(nil)
	if errors.As(err, &usage) || !errors.As(err, &answer) {
		return err
	}
	clean := bundles.CleanError(answer)
	return errors.New(strings.TrimSuffix(clean.Message+"\n"+clean.Hint, "\n"))
}

// AdviseItem returns the item with its texts passed through Advise.
func (a *App) AdviseItem(item bundles.OutboxItem) bundles.OutboxItem {
	item.Error, item.Next = a.Advise(item.Error), a.Advise(item.Next)
	return item
}

func (a *App) adviseProblem(problem signin.AccountProblem) signin.AccountProblem {
	return signin.AccountProblem{Problem: a.Advise(problem.Problem), Remedy: a.Advise(problem.Remedy)}
}

// CommandsWithoutOwner are the commands that are not about one owner's data.
var CommandsWithoutOwner = []string{"init", "install", "uninstall", "http", "bundles", "profiles", "owners", "docs", "version"}
