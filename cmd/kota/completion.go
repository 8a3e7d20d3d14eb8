package main

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"kota/cmd/kota/internal/app"
	"kota/entrypoint/mcpserver"
	"kota/metadata"
)

// completer returns the words that may come next on the command line.
type completer = func(cmd *cobra.Command, args []string, start string) ([]string, cobra.ShellCompDirective)

// completeTools completes the first word with the names of the tools, and the
// others with the arguments of the tool in the first word.
func completeTools(a *app.App) completer {
	return func(_ *cobra.Command, args []string, start string) ([]string, cobra.ShellCompDirective) {
		router, err := a.Router()
		if err != nil {
			return nil, cobra.ShellCompDirectiveError
		}
		if len(args) > 0 {
			action, ok := router.Action(args[0])
			if !ok {
				return nil, cobra.ShellCompDirectiveNoFileComp
			}
			var words []string
			for _, p := range action.Input.Params() {
				words = append(words, p.Name+"=\t"+p.Description)
			}
			return withPrefix(words, start), cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveNoSpace
		}
		var words []string
		for _, action := range mcpserver.Listing(router, mcpserver.Options{Expose: mcpserver.ExposeAll}) {
			words = append(words, action.Tool+"\t"+action.Summary)
		}
		return withPrefix(words, start), cobra.ShellCompDirectiveNoFileComp
	}
}

// completeBundles completes the first word with the keys of all bundles,
// enabled or not.
func completeBundles(a *app.App) completer {
	return func(_ *cobra.Command, args []string, start string) ([]string, cobra.ShellCompDirective) {
		var words []string
		for _, b := range a.Bundles() {
			if len(args) == 0 {
				words = append(words, b.Key+"\t"+b.Description)
			}
		}
		return withPrefix(words, start), cobra.ShellCompDirectiveNoFileComp
	}
}

// completeActions completes the first word with the keys of the enabled
// bundles, and the others with the actions of the bundle in the first word.
func completeActions(a *app.App) completer {
	return func(_ *cobra.Command, args []string, start string) ([]string, cobra.ShellCompDirective) {
		router, err := a.Router()
		if err != nil {
			return nil, cobra.ShellCompDirectiveError
		}
		var words []string
		for _, b := range router.EnabledBundles() {
			switch {
			case len(args) == 0:
				words = append(words, b.Key+"\t"+b.Description)
			case args[0] == b.Key:
				for _, action := range b.Actions {
					words = append(words, action.Name+"\t"+action.Summary)
				}
			}
		}
		return withPrefix(words, start), cobra.ShellCompDirectiveNoFileComp
	}
}

// completeTags returns the tags of the enabled bundles and of their actions.
// Each is appended to the tags that the user has typed.
func completeTags(a *app.App) completer {
	return func(_ *cobra.Command, _ []string, start string) ([]string, cobra.ShellCompDirective) {
		router, err := a.Router()
		if err != nil {
			return nil, cobra.ShellCompDirectiveError
		}
		before := start[:strings.LastIndex(start, ",")+1]
		var words []string
		for _, b := range router.EnabledBundles() {
			if len(b.Actions) == 0 {
				continue
			}
			for _, tags := range append([][]string{b.Tags}, tagsOf(b.Actions)...) {
				for _, tag := range tags {
					words = append(words, before+tag)
				}
			}
		}
		slices.Sort(words)
		return withPrefix(slices.Compact(words), start), cobra.ShellCompDirectiveNoFileComp
	}
}

func tagsOf(actions []metadata.Action) [][]string {
	all := make([][]string, len(actions))
	for i, action := range actions {
		all[i] = action.Tags
	}
	return all
}

// completeAccounts returns the signed-in accounts for the first word.
func completeAccounts(a *app.App) completer {
	return func(_ *cobra.Command, args []string, start string) ([]string, cobra.ShellCompDirective) {
		if len(args) > 0 || a.Load() != nil {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		accounts, err := a.Accounts().List()
		if err != nil {
			return nil, cobra.ShellCompDirectiveError
		}
		var words []string
		for _, account := range accounts {
			words = append(words, account.Name)
		}
		return withPrefix(words, start), cobra.ShellCompDirectiveNoFileComp
	}
}

// complete sets the words that the shell offers as values of a flag.
func complete(cmd *cobra.Command, flag string, words ...string) {
	completeBy(cmd, flag, func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
		return words, cobra.ShellCompDirectiveNoFileComp
	})
}

// completeBy sets the completer of a flag. It panics if the command does not
// have the flag.
func completeBy(cmd *cobra.Command, flag string, by completer) {
	if err := cmd.RegisterFlagCompletionFunc(flag, by); err != nil {
		panic(err)
	}
}

func withPrefix(words []string, start string) []string {
	matching := []string{}
	for _, word := range words {
		if strings.HasPrefix(word, start) {
			matching = append(matching, word)
		}
	}
	return matching
}
