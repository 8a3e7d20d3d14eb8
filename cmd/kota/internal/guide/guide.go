// Package guide sets KOTA up step by step: it connects clients, makes a test call,
// and walks through Google's console. It asks before each step, skips what is done
// already, and says how to go on when it stops. Begin with Init.
package guide

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"kota/cmd/kota/internal/app"
	"kota/cmd/kota/internal/mistake"
	"kota/cmd/kota/internal/term"
)

// guide asks the questions of one command.
type guide struct {
	ctx       context.Context
	a         *app.App
	command   string // the command that goes on after a stop: "kota init"
	noBrowser bool   // print addresses instead of opening them
	asks      bool   // false: do only what needs no answer
	left      []string
	failed    bool
}

// errStop means that the user stopped at a question.
var errStop = errors.New("stop")

// quit is the answer that stops at any question.
const quit = "q"

// ask returns the answer to a question. Its error is errStop if the
// user stops: with q, at the end of the input, or with Ctrl-C.
func (g *guide) ask(question, answers string) (string, error) {
	answer, err := g.a.Ask(g.ctx, fmt.Sprintf("%s [%s, q: stop] ", question, answers))
	if err != nil || strings.EqualFold(answer, quit) {
		return "", errStop
	}
	return answer, nil
}

// agrees asks until the answer is yes or no. Enter means yes if enter is true.
func (g *guide) agrees(question string, enter bool) (bool, error) {
	answers := "y/N"
	if enter {
		answers = "Y/n"
	}
	for {
		answer, err := g.ask(question, answers)
		if err != nil || answer == "" {
			return enter, err
		}
		if agreed, known := term.ParseAnswer(answer); known {
			return agreed, nil
		}
		g.say("%s is not y, n or q.", term.QuoteAnswer(answer))
	}
}

// say prints a sentence. Copies of it at each caller would make the program larger.
//
//go:noinline
func (g *guide) say(format string, args ...any) {
	g.a.PrintAdvised(g.a.Stdout, format+"\n", args...)
}

// leave notes what was left out, and how to do it later.
func (g *guide) leave(format string, args ...any) {
	g.left = append(g.left, fmt.Sprintf(format, args...))
}

// fail prints a problem. The command goes on and ends with an error.
func (g *guide) fail(format string, args ...any) {
	g.failed = true
	g.say(format, args...)
}

// fresh runs one step in an app of its own, which reads the configuration again.
func (g *guide) fresh(step func(*app.App) error) error {
	a := &app.App{Terminal: g.a.Terminal, Env: g.a.Env, Flags: g.a.Flags, Poster: g.a.Poster}
	return a.Do(g.ctx, g.command, func(context.Context) error {
		if err := a.Load(); err != nil {
			return err
		}
		return step(a)
	})
}

// end returns the error of the command. It says what stays after a stop.
func (g *guide) end(err error) error {
	switch {
	case errors.Is(err, errStop) || g.ctx.Err() != nil:
		return fmt.Errorf("stopped; what was done stays. Run `%s` again to go on", g.command)
	case err == nil && g.failed:
		return fmt.Errorf("a step failed; the lines above say why. Correct it, and run `%s` again", g.command)
	}
	return err
}

// noTerminal is the error of a command that cannot ask.
func (g *guide) noTerminal(instead string) error {
	return mistake.Errorf("%s asks questions, and there is no terminal. %s", g.command, instead)
}
