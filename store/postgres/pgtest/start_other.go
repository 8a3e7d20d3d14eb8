//go:build !unix

package pgtest

// start has no server: the tests of this system use the one of KOTA_TEST_POSTGRES. Nothing here
// would stop a server whose test process was killed.
func start(string, ...string) (*Server, string, error) {
	return nil, "no PostgreSQL server: set " + variable + " to the URL of one", nil
}
