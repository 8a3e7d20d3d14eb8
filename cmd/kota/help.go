package main

import "github.com/spf13/cobra"

// refuseUnknownHelp makes `kota help NAME`, `kota NAME --help` and `kota
// completion NAME` refuse the names that are no commands. cobra would show the
// help of another command. refuseUnknownHelp returns a pointer to the error of
// `kota NAME --help`, which cobra does not return.
func refuseUnknownHelp(root *cobra.Command) *error {
	refusal, show := new(error), root.HelpFunc()
	root.SetHelpFunc(func(cmd *cobra.Command, args []string) {
		if names := cmd.Flags().Args(); cmd.HasSubCommands() && len(names) > 0 {
			*refusal = noArgs(cmd, names)
			return
		}
		show(cmd, args)
	})
	root.InitDefaultCompletionCmd()
	showGroups(root)
	root.InitDefaultHelpCmd()
	help, _, err := root.Find([]string{"help"})
	if err != nil {
		panic(err)
	}
	help.Args = func(_ *cobra.Command, names []string) error {
		found, rest, err := root.Find(names)
		if err == nil && found.HasSubCommands() {
			err = noArgs(found, rest)
		}
		return err
	}
	return refusal
}
