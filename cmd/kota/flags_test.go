package main

import (
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"kota/cmd/kota/internal/app"
)

// The flag library takes a back-quoted word in the text of a flag as the name of
// its value.
func TestNoFlagNamesItsValueLikeACommand(t *testing.T) {
	root := newRoot(&app.App{Env: func(string) string { return "" }})
	names, flags := map[string]bool{}, map[string]*pflag.Flag{}
	var visit func(*cobra.Command)
	visit = func(cmd *cobra.Command) {
		names[cmd.Name()] = true
		cmd.Flags().VisitAll(func(f *pflag.Flag) { flags[cmd.CommandPath()+" --"+f.Name] = f })
		for _, sub := range cmd.Commands() {
			visit(sub)
		}
	}
	visit(root)
	for flag, f := range flags {
		value, _ := pflag.UnquoteUsage(f)
		for _, word := range strings.Fields(value) {
			if names[word] {
				t.Errorf("%s calls its value %q, a command", flag, value)
			}
		}
	}
}
