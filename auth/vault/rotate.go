package vault

import (
	"context"
	"errors"
	"strings"
	"time"
)

// A Status describes a stored secret without its content.
type Status struct {
	Kind    string    `json:"kind"`
	Name    string    `json:"name,omitempty"`
	Key     int       `json:"key_id"`
	Current bool      `json:"current"` // the key that encrypts is the key of this secret
	Updated time.Time `json:"updated"`
	Problem string    `json:"problem,omitempty"` // why it cannot be decrypted
}

// isAside reports whether a row was set aside.
func (r Row) isAside() bool { return strings.HasSuffix(r.Kind, asideSuffix) }

// isSecret reports whether a row is an encrypted secret in use: neither a lock nor set aside.
func (r Row) isSecret() bool { return r.Key != 0 && !r.isAside() }

// Status returns the secrets of the tenant, without their content.
func (v *Vault) Status(ctx context.Context) ([]Status, error) {
	tenant, err := v.rows.Tenant(ctx)
	if err != nil {
		return nil, err
	}
	rows, err := v.rows.List(ctx)
	if err != nil {
		return nil, err
	}
	found := []Status{}
	for _, row := range rows {
		if !row.isSecret() {
			continue
		}
		s := Status{Kind: row.Kind, Name: row.Name, Key: row.Key, Updated: row.Updated}
		s.Current = len(v.keys.keys) > 0 && v.keys.first().id == row.Key
		if _, err := v.open(tenant, &row); err != nil {
			s.Problem = err.Error()
		}
		found = append(found, s)
	}
	return found, nil
}

// Rotate encrypts each secret with the first key, unless it is already. It may be interrupted and
// run again, and servers may use the secrets meanwhile. It returns how many secrets it encrypted. A
// secret that cannot be decrypted stays as it is, and its error is returned after all others are done;
// rows that were set aside cause no error.
func (v *Vault) Rotate(ctx context.Context) (int, error) {
	if err := v.HasKey(); err != nil {
		return 0, err
	}
	rows, err := v.rows.List(ctx)
	if err != nil {
		return 0, err
	}
	done, problems := 0, []error{}
	for _, row := range rows {
		if row.Key == 0 || row.Key == v.keys.first().id {
			continue
		}
		err := v.Update(ctx, row.Kind, row.Name, func(old []byte) ([]byte, error) { return old, nil })
		keyProblem := (*KeyError)(nil)
		switch {
		case err == nil:
			done++
		case errors.As(err, &keyProblem), errors.Is(err, ErrDamaged):
			if !row.isAside() {
				problems = append(problems, err)
			}
		default:
			return done, err
		}
	}
	return done, errors.Join(problems...)
}

// Discard removes the secrets for which there is no key. It returns how many it removed.
func (v *Vault) Discard(ctx context.Context) (int, error) {
	if err := v.HasKey(); err != nil {
		return 0, err
	}
	rows, err := v.rows.List(ctx)
	if err != nil {
		return 0, err
	}
	done := 0
	for _, row := range rows {
		if _, known := v.keys.find(row.Key); known || !row.isSecret() {
			continue
		}
		if err := v.Remove(ctx, row.Kind, row.Name); err != nil {
			return done, err
		}
		done++
	}
	return done, nil
}
