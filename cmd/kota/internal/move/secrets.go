package move

import (
	"context"
	"fmt"

	"kota/auth"
	"kota/cmd/kota/internal/signin"
	"kota/store/postgres"
)

// A secretsResult says what became of the sign-ins and keys of a person.
type secretsResult struct {
	Accounts []string `json:"accounts"` // copied sign-ins
	Client   bool     `json:"client"`
	Keys     int      `json:"keys"`
	NoKey    bool     `json:"no_key"`   // nothing was copied, because KOTA_SECRETS_KEY is not set
	Problems []string `json:"problems"` // of sign-ins that could not be copied

	copied auth.Copied
}

// copySecrets copies the sign-ins and keys of a person from files to the database, as
// `kota secrets import` does.
func (m *run) copySecrets(ctx context.Context, p person, r *result) {
	files := p.app.AccountsInFiles()
	exist, err := files.HasSecrets()
	if err != nil {
		r.Problem = "look for sign-ins: " + err.Error()
	}
	if err != nil || !exist {
		return
	}
	if len(m.app.Config.Secrets.Keys.IDs()) == 0 {
		r.Secrets.NoKey = true
		return
	}
	part, err := m.server.Lookup(ctx, p.name)
	if err == nil {
		copied := auth.Copied{}
		copied, err = p.app.AccountsIn(part).Import(ctx, files)
		r.Secrets.add(copied)
	}
	if err != nil {
		r.Problem = "the sign-ins and keys were not copied: " + signin.Explain(err).Error()
	}
}

// copySecretsBack copies the sign-ins and keys of a person from the database to files.
func (m *run) copySecretsBack(ctx context.Context, p person, part *postgres.DB, s *secretsResult) error {
	inDatabase := p.app.AccountsIn(part)
	exist, err := inDatabase.HasSecrets()
	if err == nil && exist {
		copied := auth.Copied{}
		copied, err = p.app.AccountsInFiles().Import(ctx, inDatabase)
		s.add(copied)
	}
	if err != nil {
		return fmt.Errorf("copy the sign-ins and keys to %s: %w", p.app.Config.Home, signin.ForTerminal(err))
	}
	return nil
}

// add records what was copied.
func (s *secretsResult) add(copied auth.Copied) {
	s.copied, s.Client, s.Keys = copied, copied.Client, copied.Keys
	s.Accounts = append(s.Accounts, copied.Accounts...)
	for _, problem := range copied.Problems {
		s.Problems = append(s.Problems, signin.Explain(problem).Error())
	}
}

// text returns the result as people read it.
func (s secretsResult) text(label string) string {
	text := ""
	if copied := s.copied.String(); copied != "nothing" {
		text = label + ": copied " + copied + ".\n"
	}
	for _, problem := range s.Problems {
		text += label + ": " + problem + ". Sign in again: run `kota auth login`.\n"
	}
	return text
}
