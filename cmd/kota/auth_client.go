package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"

	"kota/auth"
	"kota/cmd/kota/internal/app"
	"kota/cmd/kota/internal/mistake"
	"kota/cmd/kota/internal/signin"
)

func newAuthClient(a *app.App) *cobra.Command {
	return &cobra.Command{
		Use:   "client [FILE]",
		Short: "Store your OAuth client, the JSON file from Google's console",
		Long: `Store your OAuth client: the JSON file that Google's console gives you for an
OAuth client of the type "Desktop app". "-" reads it from stdin. It is kept in
KOTA_HOME, readable by you alone; the downloaded file can be deleted then.
Without FILE, show which client is stored, or how to make one.

` + signin.ClientSteps,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) > 1 {
				return mistake.Errorf("%s takes one file.\nSee `%s --help`.", cmd.CommandPath(), cmd.CommandPath())
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := a.Load(); err != nil {
				return err
			}
			if len(args) == 0 {
				return showClient(a)
			}
			return storeClient(cmd.Context(), a, args[0])
		},
	}
}

func showClient(a *app.App) error {
	client, err := a.Accounts().Client()
	if errors.Is(err, auth.ErrNoClient) {
		return a.Say(a.Stdout, "No OAuth client is stored.\n\n%s", signin.ClientSteps)
	}
	if err != nil {
		return signin.ForTerminal(err)
	}
	_, err = fmt.Fprintf(a.Stdout, "%s%s\n", client.ID, inProject(client))
	return err
}

func inProject(client auth.Client) string {
	if client.ProjectID == "" {
		return ""
	}
	return ", of the project " + client.ProjectID
}

// maxClient bounds the file: Google's has some 400 bytes.
const maxClient = 64 << 10

func storeClient(ctx context.Context, a *app.App, file string) error {
	raw, err := readInput(ctx, a, file, maxClient)
	if err != nil {
		return mistake.Errorf("read OAuth client: %v", err)
	}
	client, err := a.Accounts().SetClient(raw)
	if err != nil {
		return signin.ForTerminal(err)
	}
	return a.Say(a.Stdout, "Stored the OAuth client %s%s.\nNow run `kota auth login`.\n", client.ID, inProject(client))
}

// readInput reads a file, or stdin for "-", of at most that many bytes.
func readInput(ctx context.Context, a *app.App, file string, most int64) ([]byte, error) {
	in := a.Input(ctx)
	if file != "-" {
		opened, err := os.Open(file)
		if err != nil {
			return nil, err
		}
		defer opened.Close()
		in = opened
	}
	raw, err := io.ReadAll(io.LimitReader(in, most+1))
	if err != nil {
		return nil, err
	}
	if int64(len(raw)) > most {
		return nil, fmt.Errorf("%s has more than %d bytes: it is no such file", file, most)
	}
	return raw, nil
}
