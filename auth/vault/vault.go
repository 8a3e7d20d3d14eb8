// Package vault encrypts the secrets that the people of a shared database have there: their Google
// sign-ins and the keys of their secret memories and approvals. Each secret is encrypted with
// AES-256-GCM and bound to its tenant, kind and name.
//
// The master keys never reach the database. Secrets and keys appear in no error.
package vault

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"time"
)

// A Row is a stored secret of one tenant.
type Row struct {
	Kind, Name string
	Key        int // the id of the master key; 0: not encrypted
	Sealed     []byte
	Updated    time.Time
}

// Rows stores the rows of one tenant.
type Rows interface {
	// Tenant returns what identifies the tenant in the database.
	Tenant(ctx context.Context) (string, error)
	// Get returns a row, or nil if it does not exist.
	Get(ctx context.Context, kind, name string) (*Row, error)
	// List returns all rows, sorted by kind and name.
	List(ctx context.Context) ([]Row, error)
	// Update replaces a row by the result of change, while no other Update of the tenant runs on
	// any server. change gets nil if there is no row, and returns nil to remove it. If change
	// returns its argument, nothing is written. change may run more than once.
	Update(ctx context.Context, kind, name string, change func(*Row) (*Row, error)) error
}

// A Vault has the secrets of one tenant. It is safe for concurrent use, also by several servers.
type Vault struct {
	keys Keys
	rows Rows
}

// New returns the Vault of a tenant. It accesses nothing.
func New(keys Keys, rows Rows) *Vault { return &Vault{keys, rows} }

// ErrDamaged says that a row was changed outside of KOTA, or that it belongs to another tenant or
// has another name.
var ErrDamaged = errors.New("it was changed outside of KOTA, or copied from elsewhere")

// A KeyError says that a secret needs a key that this process does not have. Nothing was changed.
type KeyError struct {
	Need int   // the id of the key of the secret; 0: a new secret needs any key
	Have []int // the ids of the known keys
}

// Error names the keys by their ids.
func (e *KeyError) Error() string {
	if len(e.Have) == 0 {
		return "no key for the secrets in the database is set"
	}
	have := strings.Trim(fmt.Sprint(e.Have), "[]")
	return fmt.Sprintf("a secret in the database needs the key %d, and this process has the keys %s", e.Need, strings.ReplaceAll(have, " ", ", "))
}

// HasKey returns a *KeyError if there is no key that encrypts.
func (v *Vault) HasKey() error {
	if len(v.keys.keys) == 0 {
		return &KeyError{}
	}
	return nil
}

// Get returns a secret. Its errors are fs.ErrNotExist, *KeyError, ErrDamaged and those of Rows.
func (v *Vault) Get(ctx context.Context, kind, name string) ([]byte, error) {
	tenant, err := v.rows.Tenant(ctx)
	if err != nil {
		return nil, err
	}
	row, err := v.rows.Get(ctx, kind, name)
	if err != nil {
		return nil, err
	}
	if row == nil {
		return nil, fs.ErrNotExist
	}
	return v.open(tenant, row)
}

// Names returns the names of the secrets of a kind, sorted. It needs no key.
func (v *Vault) Names(ctx context.Context, kind string) ([]string, error) {
	rows, err := v.rows.List(ctx)
	if err != nil {
		return nil, err
	}
	names := []string{}
	for _, row := range rows {
		if row.Kind == kind {
			names = append(names, row.Name)
		}
	}
	return names, nil
}

// Update replaces a secret by the result of change, while no other Update of the tenant runs.
// change gets nil if there is no secret, and returns nil to remove it. It may run more than once.
// Update changes nothing if it cannot decrypt the old secret. Its errors are those of change,
// *KeyError, ErrDamaged and those of Rows.
func (v *Vault) Update(ctx context.Context, kind, name string, change func(old []byte) ([]byte, error)) error {
	if err := v.HasKey(); err != nil {
		return err
	}
	tenant, err := v.rows.Tenant(ctx)
	if err != nil {
		return err
	}
	return v.rows.Update(ctx, kind, name, func(row *Row) (*Row, error) {
		old := []byte(nil)
		if row != nil {
			if old, err = v.open(tenant, row); err != nil {
				return nil, err
			}
		}
		next, err := change(old)
		if err != nil || next == nil {
			return nil, err
		}
		if row != nil && row.Key == v.keys.first().id && bytes.Equal(old, next) {
			return row, nil
		}
		return v.seal(tenant, kind, name, next)
	})
}

// Put stores a secret, and replaces the earlier one.
func (v *Vault) Put(ctx context.Context, kind, name string, secret []byte) error {
	return v.Update(ctx, kind, name, func([]byte) ([]byte, error) { return secret, nil })
}

// Remove removes a secret, if it exists. It needs no key.
func (v *Vault) Remove(ctx context.Context, kind, name string) error {
	return v.rows.Update(ctx, kind, name, func(*Row) (*Row, error) { return nil, nil })
}

// asideSuffix ends the kinds of rows that were set aside.
const asideSuffix = ".bad"

// SetAside renames a row that cannot be used, so that nothing is lost. It returns the new name. Whoever
// gives the row its old name again, or adds a missing key, can use it.
func (v *Vault) SetAside(ctx context.Context, kind, name string, now time.Time) (string, error) {
	row, err := v.rows.Get(ctx, kind, name)
	if err != nil || row == nil {
		return "", err
	}
	aside := name + " " + now.UTC().Format("20060102T150405.000Z")
	err = v.rows.Update(ctx, kind+asideSuffix, aside, func(*Row) (*Row, error) {
		return &Row{Key: row.Key, Sealed: row.Sealed}, nil
	})
	if err != nil {
		return "", err
	}
	return kind + asideSuffix + " " + aside, v.rows.Update(ctx, kind, name, func(current *Row) (*Row, error) {
		if current != nil && bytes.Equal(current.Sealed, row.Sealed) {
			return nil, nil
		}
		return current, nil // another server has stored a new one
	})
}

// original returns the kind and the name that a row had before SetAside.
func original(kind, name string) (string, string) {
	kind, isAside := strings.CutSuffix(kind, asideSuffix)
	if end := strings.LastIndexByte(name, ' '); isAside && end >= 0 {
		name = name[:end]
	}
	return kind, name
}

// formatVersion is the first byte of encrypted secrets.
const formatVersion = 1

// seal returns the row of a secret.
func (v *Vault) seal(tenant, kind, name string, secret []byte) (*Row, error) {
	first := v.keys.first()
	gcm, err := first.cipher(tenant)
	if err != nil {
		return nil, err
	}
	sealed := gcm.Seal([]byte{formatVersion}, nil, secret, associatedData(tenant, kind, name))
	return &Row{Kind: kind, Name: name, Key: first.id, Sealed: sealed}, nil
}

// open decrypts a row.
func (v *Vault) open(tenant string, row *Row) ([]byte, error) {
	known, ok := v.keys.find(row.Key)
	if !ok {
		return nil, &KeyError{Need: row.Key, Have: v.keys.IDs()}
	}
	if len(row.Sealed) == 0 || row.Sealed[0] != formatVersion {
		return nil, ErrDamaged
	}
	gcm, err := known.cipher(tenant)
	if err != nil {
		return nil, err
	}
	secret, err := gcm.Open([]byte{}, nil, row.Sealed[1:], associatedData(tenant, row.Kind, row.Name))
	if err != nil {
		return nil, ErrDamaged
	}
	return secret, nil
}

// associatedData binds a secret to its place. Each part has its length, so that no other parts give
// the same bytes.
func associatedData(tenant, kind, name string) []byte {
	kind, name = original(kind, name)
	data := []byte{formatVersion}
	for _, part := range []string{tenant, kind, name} {
		data = append(binary.AppendUvarint(data, uint64(len(part))), part...)
	}
	return slices.Clip(data)
}
