package app

import (
	"context"
	"fmt"

	"kota/auth/vault"
	"kota/cmd/kota/internal/tenant"
	"kota/store/tables/secrets"
)

// vault returns the secrets of an owner on the database server, or nil if the database is a file. The
// name is that of tenant.Registry.DatabaseName; "" is the owner of this app.
func (a *App) vault(name string) *vault.Vault {
	if !a.Config.HasServer() {
		return nil
	}
	return vault.New(a.Config.Secrets.Keys, secretRows{a, name})
}

// Vault returns the secrets of this app's owner on the database server, or nil if the database is a
// file.
func (a *App) Vault() *vault.Vault { return a.vault("") }

// operatorVault returns the secrets of the user who runs KOTA, for the app of another owner.
func (a *App) operatorVault() *vault.Vault {
	if a.Config.Owner == "" {
		return nil
	}
	return a.vault(tenant.OperatorName)
}

// secretRows gives a vault access to the rows in the database. It does not use OpenDB: a token that
// Google has just renewed is also stored under a profile that only reads, and while the app ends.
type secretRows struct {
	app  *App
	name string
}

func (r secretRows) open(ctx context.Context) (*secrets.Store, any, error) {
	name := r.name
	if name == "" {
		own, err := tenant.NewRegistry(r.app.Config).DatabaseName()
		if err != nil {
			return nil, nil, err
		}
		name = own
	}
	server, err := r.app.server.open(ctx, r.app)
	if err != nil {
		return nil, nil, err
	}
	part, err := server.Tenant(ctx, name)
	if err != nil {
		return nil, nil, err
	}
	return secrets.New(part, Owner), part.Owner(Owner), nil
}

// Tenant returns the number of the owner in the database. It stays the same in a copy by pg_dump.
func (r secretRows) Tenant(ctx context.Context) (string, error) {
	_, number, err := r.open(ctx)
	return fmt.Sprint(number), err
}

func (r secretRows) Get(ctx context.Context, kind, name string) (*vault.Row, error) {
	rows, _, err := r.open(ctx)
	if err != nil {
		return nil, err
	}
	row, err := rows.Get(ctx, kind, name)
	return (*vault.Row)(row), err
}

func (r secretRows) List(ctx context.Context) ([]vault.Row, error) {
	rows, _, err := r.open(ctx)
	if err != nil {
		return nil, err
	}
	found, err := rows.List(ctx)
	list := []vault.Row{}
	for _, row := range found {
		list = append(list, vault.Row(row))
	}
	return list, err
}

func (r secretRows) Update(ctx context.Context, kind, name string, change func(*vault.Row) (*vault.Row, error)) error {
	rows, _, err := r.open(ctx)
	if err != nil {
		return err
	}
	return rows.Update(ctx, kind, name, func(row *secrets.Row) (*secrets.Row, error) {
		next, err := change((*vault.Row)(row))
		return (*secrets.Row)(next), err
	})
}
