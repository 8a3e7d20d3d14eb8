package tenant

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"kota/auth"
	"kota/auth/issuer"
	"kota/cmd/kota/internal/safefile"
)

// An Folder is where everything is that KOTA keeps of one person: a home of
// their own, below that of who runs the server.
type Folder struct {
	Name string
	Path string
}

// An ownerRecord is the file in it that says whose it is.
type ownerRecord struct {
	Version int       `json:"version"`
	Issuer  string    `json:"issuer"`
	Subject string    `json:"subject"`
	Called  string    `json:"called,omitempty"` // by themselves, for people to read
	Since   time.Time `json:"since"`
}

const (
	RecordFile   = "owner.json"
	ownerVersion = 1
	mostRecord   = 16 << 10 // bytes
)

// read returns whose folder it is, beside the error too where a newer KOTA has
// written that. It returns fs.ErrNotExist where there is none, or nobody has come to
// it yet.
func (f Folder) read() (ownerRecord, error) {
	file, err := os.Open(filepath.Join(f.Path, RecordFile))
	if err != nil {
		return ownerRecord{}, err
	}
	defer file.Close()
	raw, err := io.ReadAll(io.LimitReader(file, mostRecord))
	if err != nil {
		return ownerRecord{}, err
	}
	var r ownerRecord
	if json.Unmarshal(raw, &r) != nil || r.Issuer == "" || r.Subject == "" {
		return ownerRecord{}, fmt.Errorf("%s does not say whose folder this is", file.Name())
	}
	if r.Version > ownerVersion {
		return r, fmt.Errorf("a newer KOTA has written %s", file.Name())
	}
	return r, nil
}

func (r ownerRecord) isOf(p issuer.Person) bool {
	return r.Issuer == p.Issuer && r.Subject == p.Subject
}

// mayBeOf reports whether the folder is the person's as far as can be told. One that
// does not say whose it is any more is, under a name of theirs: with another in its
// place they would not find what they have.
func (f Folder) mayBeOf(p issuer.Person) bool {
	r, err := f.read()
	damaged := err != nil && !errors.Is(err, fs.ErrNotExist) && r == ownerRecord{}
	return damaged || r.isOf(p)
}

// Settle makes the folder the person's, or sees that it is. One that is another
// person's, or in which others could put files, is refused.
func (f Folder) Settle(p issuer.Person, now time.Time) error {
	if err := os.MkdirAll(f.Path, 0o700); err != nil {
		return fmt.Errorf("make the folder of %s: %w", f.Name, err)
	}
	for _, path := range []string{filepath.Dir(f.Path), f.Path} {
		if err := auth.Guarded(path); err != nil {
			return err
		}
	}
	r, err := f.read()
	switch {
	case errors.Is(err, fs.ErrNotExist):
		r = ownerRecord{Version: ownerVersion, Issuer: p.Issuer, Subject: p.Subject, Called: p.Name, Since: now.UTC().Truncate(time.Second)}
	case err != nil:
		return err
	case !r.isOf(p):
		return f.taken()
	case p.Name == "" || r.Called == p.Name:
		return nil
	default:
		r.Called = p.Name
	}
	raw, err := json.MarshalIndent(r, "", "  ")
	if err != nil {
		return err
	}
	return safefile.Replace(filepath.Join(f.Path, RecordFile), append(raw, '\n'))
}

// taken is why a person cannot have a folder that is another's.
func (f Folder) taken() error {
	return fmt.Errorf("the folder %s is another person's (see its %s): give the name %s in http.oauth.owners back to them, or move the folder away", f.Path, RecordFile, f.Name)
}
