package app

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"

	"kota/bundles"
	"kota/metadata"
)

// callBundle runs an action of another bundle for the daily bundle and decodes its
// answer. It goes through the router like every call, so that policy applies.
// It returns TOOL_NOT_FOUND if the action is off or hidden.
func (a *App) callBundle(ctx context.Context, bundle, tool string, args, answer any) error {
	if err := a.checkAvailable(bundle, tool); err != nil {
		return err
	}
	rawArgs, err := json.Marshal(args)
	if err != nil {
		return fmt.Errorf("ask %s: %w", tool, err)
	}
	out, err := a.ServingRouter.Load().Call(ctx, tool, rawArgs)
	if metadata.CodeOf(err) == metadata.SignInRequired && !a.hasMoreAccounts(0) {
		return metadata.Errorf(metadata.SignInRequired, "%s", a.SignInHint())
	}
	if err != nil {
		return err
	}
	raw, err := metadata.Plain(out)
	if err == nil {
		err = json.Unmarshal(raw, answer)
	}
	if err != nil {
		return fmt.Errorf("read what %s answers: %w", tool, err)
	}
	return nil
}

// checkAvailable returns nil if calls may use the tool of that bundle. Otherwise it
// returns TOOL_NOT_FOUND. If the profile hides the tool, the error says so only with
// explain_hidden. Before the router exists, the error has no code.
func (a *App) checkAvailable(bundle, tool string) error {
	router := a.ServingRouter.Load()
	if router == nil {
		return fmt.Errorf("ask %s: KOTA is still starting", tool)
	}
	if _, ok := router.Action(tool); ok {
		return nil
	}
	switch {
	case a.profileShows(tool):
		return metadata.Errorf(metadata.ToolNotFound, "%s is off", bundle).
			WithHint("The user can switch it on with `kota bundles enable %s`.", bundle)
	case a.Config.ExplainHidden:
		return metadata.Errorf(metadata.ToolNotFound, "the profile %q does not show %s", a.Config.Profile, bundle)
	}
	return metadata.Errorf(metadata.ToolNotFound, "no connected bundle can look it up")
}

// profileShows reports whether the profile shows the tool, even if its bundle is off.
func (a *App) profileShows(tool string) bool {
	return slices.ContainsFunc(a.Bundles(), func(b bundles.Bundle) bool { return a.Policy().Shows(b, tool) })
}

// hasMoreAccounts reports whether more than n accounts are signed in. It
// returns true if the accounts cannot be read.
func (a *App) hasMoreAccounts(n int) bool {
	all, err := a.Accounts().List()
	return err != nil || len(all) > n
}

// untrustedMark decodes the provenance of a row. Only rows with untrusted
// content have a provenance.
type untrustedMark struct{}

// callArgs holds the arguments of a call.
type callArgs map[string]any

// partialFailure describes an account, calendar or message that could not be read.
type partialFailure struct {
	Calendar, Account string
	Code              metadata.Code `json:"error"`
	Message           string
}

func (p partialFailure) String() string {
	what := "account " + p.Account
	if p.Calendar != "" {
		what = "calendar " + p.Calendar
	}
	return what + ": " + string(p.Code) + ", " + p.Message
}

func failureTexts(lists ...[]partialFailure) []string {
	var texts []string
	for _, failure := range slices.Concat(lists...) {
		texts = append(texts, failure.String())
	}
	return texts
}
