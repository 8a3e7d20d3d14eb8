package accounts

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"text/tabwriter"

	"kota/cmd/kota/internal/app"
	"kota/cmd/kota/internal/signin"
)

// Status prints the accounts and why some cannot be used. If check is true, it
// also asks Google about the accounts without a known problem. It returns an
// error if an account or the OAuth client cannot be used, or if the chosen
// default account does not exist.
func Status(ctx context.Context, a *app.App, asJSON, check bool) error {
	if err := a.Load(); err != nil {
		return err
	}
	accounts, err := a.Accounts().List()
	if err != nil {
		return signin.ForTerminal(err)
	}
	problems, states := a.SignInProblems(accounts), []signin.State{}
	for _, account := range accounts {
		asked := check && account.Problem == nil
		if asked {
			account.Problem = a.Accounts().Check(ctx, account.Name)
		}
		state := a.StateOf(account)
		state.Checked = asked && account.Problem == nil
		states = append(states, state)
	}
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if asJSON {
		err = a.PrintJSON(map[string]any{"accounts": states, "problems": problems})
	} else {
		err = printStates(a, states, problems)
	}
	if err != nil {
		return err
	}
	for _, state := range states {
		if state.Problem != "" {
			return fmt.Errorf("auth status: the account %s cannot be used", state.Account)
		}
	}
	if len(problems) > 0 {
		return errors.New("auth status: an account or the OAuth client cannot be used")
	}
	return nil
}

func printStates(a *app.App, states []signin.State, problems []signin.AccountProblem) error {
	for _, problem := range problems {
		if _, err := fmt.Fprintf(a.Stdout, "%s\n", signin.Capitalize(problem.String())); err != nil {
			return err
		}
	}
	if len(states) == 0 && len(problems) == 0 {
		if _, err := fmt.Fprintf(a.Stdout, "%s.\n", signin.Capitalize(a.SignInHint())); err != nil || a.HasClient() {
			return err
		}
		return a.PrintAdvised(a.Stdout, "\n%s", signin.ClientStepsText())
	}
	w := tabwriter.NewWriter(a.Stdout, 0, 0, 2, ' ', 0)
	for _, state := range states {
		fmt.Fprintln(w, strings.Join(state.Row(), "\t"))
	}
	if err := w.Flush(); err != nil {
		return err
	}
	for _, state := range states {
		if line := state.Advice(); line != "" {
			if err := a.PrintAdvised(a.Stdout, "%s: %s\n", state.Account, line); err != nil {
				return err
			}
		}
	}
	_, err := fmt.Fprint(a.Stdout, signin.TestingNotice(states))
	return err
}
