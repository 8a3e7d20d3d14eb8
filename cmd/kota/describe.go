package main

import (
	"encoding/json"
	"fmt"
	"slices"

	"github.com/spf13/cobra"

	"kota/cmd/kota/internal/app"
	"kota/cmd/kota/internal/mistake"
	"kota/cmd/kota/internal/term"
	"kota/entrypoint"
	"kota/entrypoint/discovery"
	"kota/metadata"
	"kota/metadata/docs"
)

func newDescribe(a *app.App) *cobra.Command {
	var (
		asJSON, noExamples bool
		detail             string
	)
	cmd := &cobra.Command{
		Use:               "describe BUNDLE [ACTION ...]",
		Short:             "Describe a bundle, or some of its actions, in full",
		ValidArgsFunction: completeActions(a),
		Example:           "  kota describe memory\n  kota describe memory set get --json\n  kota describe memory --detail brief",
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return mistake.Errorf("kota describe needs the key of a bundle. `kota discover` lists them.")
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := oneOf("detail", detail, slices.Concat(descriptionLevels, details)); err != nil {
				return err
			}
			router, err := a.Router()
			if err != nil {
				return err
			}
			in, err := json.Marshal(map[string]any{"bundle": args[0], "actions": args[1:], "include_examples": !noExamples, "detail": detail, "include": []string{"output", "workflows", "examples"}})
			if err != nil {
				return err
			}
			out, _, err := router.Answer(cmd.Context(), &entrypoint.Call{Channel: entrypoint.ByCLI, Tool: "kota_describe_bundle", Args: in})
			if err != nil {
				return err
			}
			if asJSON {
				return a.PrintJSON(out)
			}
			return printDescription(a, out)
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print the answer of kota_describe_bundle")
	cmd.Flags().BoolVar(&noExamples, "no-examples", false, "omit the examples")
	cmd.Flags().StringVar(&detail, "detail", "schema", "schema, spec (50 to 200 tokens an action) or brief (a line)")
	complete(cmd, "detail", descriptionLevels...)
	return cmd
}

// descriptionLevels are the values of --detail for descriptions. `kota describe`
// also accepts the values for searches.
var descriptionLevels = []string{"schema", "spec", "brief"}

// printDescription writes the answer of kota_describe_bundle for people.
func printDescription(a *app.App, out any) error {
	if whole, ok := out.(discovery.Description); ok {
		if _, err := fmt.Fprint(a.Stdout, docs.Markdown([]metadata.Bundle{whole.Bundle}, docs.Full)); err != nil {
			return err
		}
		return printMissing(a, whole.Missing)
	}
	level := out.(discovery.LevelDescription)
	for i, action := range level.Actions {
		gap := ""
		if i > 0 && action.Spec != "" {
			gap = "\n"
		}
		if _, err := fmt.Fprintf(a.Stdout, "%s%s%s\n", gap, action.Brief, shellSchema(action.Spec)); err != nil {
			return err
		}
	}
	return printMissing(a, level.Missing)
}

// printMissing prints which of the requested actions are not shown, and why.
func printMissing(a *app.App, missing []discovery.MissingAction) error {
	for _, m := range missing {
		if _, err := fmt.Fprintf(a.Stdout, "\n%s: %s\n", term.Printable(m.Name), term.Printable(m.Reason)); err != nil {
			return err
		}
	}
	return nil
}
