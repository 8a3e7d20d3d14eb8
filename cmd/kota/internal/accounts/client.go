package accounts

import (
	"context"
	"errors"
	"fmt"
	"io"

	"kota/auth"
	"kota/cmd/kota/internal/app"
	"kota/cmd/kota/internal/mistake"
	"kota/cmd/kota/internal/signin"
)

// ShowClient prints the stored OAuth client.
func ShowClient(a *app.App) error {
	client, err := a.Accounts().Client()
	if errors.Is(err, auth.ErrNoClient) {
		return a.PrintAdvised(a.Stdout, "No OAuth client is stored.\n\n%s", signin.ClientStepsText())
	}
	if err != nil {
		return signin.ForTerminal(err)
	}
	_, err = fmt.Fprintf(a.Stdout, "%s\n", Describe(client))
	return err
}

// Describe names an OAuth client and its project.
func Describe(client auth.Client) string {
	if client.ProjectID == "" {
		return client.ID
	}
	return client.ID + ", of the project " + client.ProjectID
}

// maxClientBytes is the size limit for the client file in bytes. Google's file
// has about 400 bytes.
const maxClientBytes = 64 << 10

// StoreClient stores the OAuth client of a file, or of stdin for "-", and prints
// the next step.
func StoreClient(ctx context.Context, a *app.App, file string) error {
	client, err := SetClient(ctx, a, file)
	if errors.As(err, new(*mistake.Error)) {
		return err
	}
	if err != nil {
		return signin.ForTerminal(err)
	}
	return a.PrintAdvised(a.Stdout, "Stored the OAuth client %s.\nNow run `kota auth login`.\n", Describe(client))
}

// SetClient stores the OAuth client of a file, or of stdin for "-". It returns
// the errors of auth.Accounts.SetClient, and a usage error for a file that
// cannot be read.
func SetClient(ctx context.Context, a *app.App, file string) (auth.Client, error) {
	raw, err := readInput(ctx, a, file, maxClientBytes)
	if err != nil {
		return auth.Client{}, err
	}
	return a.Accounts().SetClient(raw)
}

// readInput reads a file, or stdin for "-". It returns an error if the input
// has more than maxBytes bytes.
func readInput(ctx context.Context, a *app.App, file string, maxBytes int64) ([]byte, error) {
	in := a.Input(ctx)
	if file != "-" {
		opened, err := mistake.OpenFile(file)
		if err != nil {
			return nil, err
		}
		defer opened.Close()
		in = opened
	}
	raw, err := io.ReadAll(io.LimitReader(in, maxBytes+1))
	switch {
	case err != nil:
		return nil, mistake.Errorf("%s", mistake.FileProblem(err, file))
	case int64(len(raw)) > maxBytes:
		return nil, mistake.Errorf("%s has more than %d bytes, so it is not the JSON of an OAuth client", file, maxBytes)
	case len(raw) == 0 && file == "-":
		return nil, mistake.Errorf("stdin was empty; pipe the JSON of an OAuth client to it")
	}
	return raw, nil
}
