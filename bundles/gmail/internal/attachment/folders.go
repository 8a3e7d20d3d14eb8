package attachment

// Folders are the folders of the user's disk that attachments may use.
type Folders struct {
	From []string // absolute; files below them may be attached
	Into string   // absolute; where attachments are saved; "" means nowhere
	Not  string   // absolute; KOTA's own folder, out of bounds even below the others
	Away bool     // it is somebody whom the server serves besides who runs it: whoever calls, no file of this machine is theirs, and From and Into are empty
}
