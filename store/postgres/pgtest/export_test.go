package pgtest

// Folder returns the folder of the server's data, log and socket.
func (s *Server) Folder() string { return s.folder }
