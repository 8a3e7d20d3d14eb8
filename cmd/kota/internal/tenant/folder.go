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

// Folder holds all data of one person. It is their home, and is below the home
// of the user who runs the server.
type Folder struct {
	Name string
	Path string
}

// ownerRecord is the content of RecordFile, which says whose folder it is.
type ownerRecord struct {
	Version     int       `json:"version"`
	Issuer      string    `json:"issuer"`
	Subject     string    `json:"subject"`
	DisplayName string    `json:"called,omitempty"` // the name they gave themselves, for people to read
	Since       time.Time `json:"since"`
}

const (
	RecordFile     = "owner.json"
	ownerVersion   = 1
	maxRecordBytes = 16 << 10
)

// read returns who owns the folder. If a newer KOTA wrote the record, it
// returns both the record and an error. It returns fs.ErrNotExist if the folder
// is absent or has no owner yet.
func (f Folder) read() (ownerRecord, error) {
	file, err := os.Open(filepath.Join(f.Path, RecordFile))
	if err != nil {
		return ownerRecord{}, err
	}
	defer file.Close()
	raw, err := io.ReadAll(io.LimitReader(file, maxRecordBytes))
	if err != nil {
		return ownerRecord{}, err
	}
	var r ownerRecord
	if json.Unmarshal(raw, &r) != nil || r.Issuer == "" || r.Subject == "" {
		return ownerRecord{}, fmt.Errorf("%s does not name the owner of this folder", file.Name())
	}
	if r.Version > ownerVersion {
		return r, fmt.Errorf("a newer KOTA has written %s", file.Name())
	}
	return r, nil
}

func (r ownerRecord) belongsTo(p issuer.Person) bool {
	return r.Issuer == p.Issuer && r.Subject == p.Subject
}

// mayBelongTo reports whether the folder may belong to the person. It returns
// true if the record is damaged, because the person's data would be missing in
// a new folder.
func (f Folder) mayBelongTo(p issuer.Person) bool {
	r, err := f.read()
	damaged := err != nil && !errors.Is(err, fs.ErrNotExist) && r == ownerRecord{}
	return damaged || r.belongsTo(p)
}

// Claim makes the person the owner of the folder, or checks that they are. It
// returns an error if the folder belongs to somebody else, or if others could
// put files into it.
func (f Folder) Claim(p issuer.Person, now time.Time) error {
	if err := os.MkdirAll(f.Path, 0o700); err != nil {
		return fmt.Errorf("make the folder of %s: %w", f.Name, err)
	}
	for _, path := range []string{filepath.Dir(f.Path), f.Path} {
		if err := auth.CheckProtected(path); err != nil {
			return err
		}
	}
	r, err := f.read()
	switch {
	case errors.Is(err, fs.ErrNotExist):
		r = ownerRecord{Version: ownerVersion, Issuer: p.Issuer, Subject: p.Subject, DisplayName: p.Name, Since: now.UTC().Truncate(time.Second)}
	case err != nil:
		return err
	case !r.belongsTo(p):
		return f.takenError()
	case p.Name == "" || r.DisplayName == p.Name:
		return nil
	default:
		r.DisplayName = p.Name
	}
	raw, err := json.MarshalIndent(r, "", "  ")
	if err != nil {
		return err
	}
	return safefile.Replace(filepath.Join(f.Path, RecordFile), append(raw, '\n'))
}

// takenError returns the error for a folder that belongs to another person.
func (f Folder) takenError() error {
	return fmt.Errorf("the folder %s belongs to another person (see its file %s): assign the name %s in http.oauth.owners to that person as before, or move the folder away", f.Path, RecordFile, f.Name)
}
