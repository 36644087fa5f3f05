//! A real server: nginx on a free port of this machine, with a folder and a configuration of its own.
// Each test file uses only a part of it.
#![allow(dead_code)]

use std::fs;
use std::io::{Read, Write};
use std::net::{Shutdown, SocketAddr, TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering::SeqCst};
use std::time::{Duration, Instant};

/// Runs until it is dropped.
pub struct Nginx {
    child: Child,
    folder: tempfile::TempDir,
    port: u16,
    secure_port: u16,
}

/// The places of the server. All have the same files.
const PLACES: &str = "
    location /plain/ { alias ROOT/; }
    location /slow/ { alias ROOT/; limit_rate 400k; }
    location /crawl/ { alias ROOT/; limit_rate 1k; }
    location /whole/ { alias ROOT/; max_ranges 0; }
    location /private/ { alias ROOT/; auth_basic tables; auth_basic_user_file FOLDER/users; }
    location /500/ { return 500; }
    location /503/ { add_header Retry-After 1 always; return 503; }
    location /403/ { return 403; }
    location /302/ { return 302 /plain/; }
    location /empty/ { return 204; }
";

impl Nginx {
    /// Starts a server. `None` if nginx is not installed, unless the tests must ask all other programs.
    pub fn start() -> Option<Self> {
        let program = ["/usr/sbin/nginx", "/usr/local/sbin/nginx", "/opt/homebrew/bin/nginx"];
        let Some(program) = program.into_iter().find(|path| Path::new(path).exists()) else {
            assert!(std::env::var_os("ENDSPIEL_ALL_PEERS").is_none(), "nginx is not installed");
            eprintln!("skipped: nginx is not installed");
            return None;
        };
        // Another process may take a free port before nginx does.
        (0..5).find_map(|_| Self::start_once(program))
    }

    fn start_once(program: &str) -> Option<Self> {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir(folder.path().join("root")).unwrap();
        make_certificate(folder.path());
        fs::write(folder.path().join("users"), "me:{PLAIN}secret\n").unwrap();
        let [port, secure_port] = free_ports();
        let places = PLACES.replace("ROOT", "FOLDER/root");
        let temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
            .map(|kind| format!("{kind}_temp_path FOLDER/{kind};"))
            .concat();
        let configuration = format!(
            "daemon off; master_process off; pid FOLDER/pid; error_log FOLDER/errors;
             events {{ worker_connections 64; }}
             http {{
               access_log off; {temporary}
               server {{
                 listen 127.0.0.1:{port};
                 listen 127.0.0.1:{secure_port} ssl;
                 ssl_certificate FOLDER/certificate.pem; ssl_certificate_key FOLDER/key.pem;
                 {places}
               }}
             }}"
        );
        let path = folder.path().join("nginx.conf");
        fs::write(&path, configuration.replace("FOLDER", folder.path().to_str().unwrap())).unwrap();
        let mut command = Command::new(program);
        command.arg("-e").arg(folder.path().join("errors")).arg("-p").arg(folder.path()).arg("-c").arg(path);
        let child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        let mut nginx = Self { child, folder, port, secure_port };
        let started = Instant::now();
        while started.elapsed() < Duration::from_secs(20) {
            if TcpStream::connect(("127.0.0.1", port)).is_ok() {
                return Some(nginx);
            }
            if nginx.child.try_wait().unwrap().is_some() {
                eprintln!("{}", fs::read_to_string(nginx.folder.path().join("errors")).unwrap_or_default());
                return None;
            }
            std::thread::sleep(Duration::from_millis(10));
        }
        None
    }

    /// The folder of the files of the server.
    pub fn root(&self) -> PathBuf {
        self.folder.path().join("root")
    }

    /// The address of a place.
    pub fn url(&self, place: &str) -> String {
        format!("http://127.0.0.1:{}/{place}", self.port)
    }

    pub fn secure_url(&self, place: &str) -> String {
        format!("https://127.0.0.1:{}/{place}", self.secure_port)
    }

    /// The certificate of the server, which no authority has signed.
    pub fn certificate(&self) -> PathBuf {
        self.folder.path().join("certificate.pem")
    }

    pub fn address(&self) -> SocketAddr {
        SocketAddr::from(([127, 0, 0, 1], self.port))
    }
}

impl Drop for Nginx {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn free_ports() -> [u16; 2] {
    let listeners = [(); 2].map(|()| TcpListener::bind("127.0.0.1:0").unwrap());
    listeners.map(|listener| listener.local_addr().unwrap().port())
}

fn make_certificate(folder: &Path) {
    let configuration = "[req]\ndistinguished_name=name\nx509_extensions=more\nprompt=no\n[name]\nCN=endspiel test\n\
        [more]\nbasicConstraints=critical,CA:FALSE\nsubjectAltName=IP:127.0.0.1\n";
    fs::write(folder.join("certificate.conf"), configuration).unwrap();
    let mut openssl = Command::new("openssl");
    openssl.current_dir(folder).args(
        "req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -config certificate.conf \
         -keyout key.pem -out certificate.pem"
            .split_whitespace(),
    );
    let made = openssl.output().expect("openssl");
    assert!(made.status.success(), "{made:?}");
}

/// A way to a server that breaks off: the first connections end after some bytes of the answers.
pub struct Cut {
    address: SocketAddr,
    connections: Arc<AtomicUsize>,
}

impl Cut {
    /// `first` connections end after `bytes` bytes. It runs until the process ends.
    pub fn new(server: SocketAddr, first: usize, bytes: u64) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let connections = Arc::new(AtomicUsize::new(0));
        let counted = Arc::clone(&connections);
        std::thread::spawn(move || {
            for client in listener.incoming() {
                let most = if counted.fetch_add(1, SeqCst) < first { bytes } else { u64::MAX };
                if let (Ok(client), Ok(server)) = (client, TcpStream::connect(server)) {
                    std::thread::spawn(move || pass(client, server, most));
                }
            }
        });
        Self { address, connections }
    }

    pub fn url(&self, place: &str) -> String {
        format!("http://{}/{place}", self.address)
    }

    pub fn connections(&self) -> usize {
        self.connections.load(SeqCst)
    }
}

fn pass(client: TcpStream, server: TcpStream, most: u64) {
    let (mut questions, mut to_server) = (client.try_clone().unwrap(), server.try_clone().unwrap());
    std::thread::spawn(move || {
        let _ = std::io::copy(&mut questions, &mut to_server);
        let _ = to_server.shutdown(Shutdown::Write);
    });
    let mut to_client = &client;
    let mut answers = server.take(most);
    let _ = std::io::copy(&mut answers, &mut to_client);
    let _ = to_client.flush();
    let _ = client.shutdown(Shutdown::Both);
}
