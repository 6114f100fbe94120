//! A plugin root on disk, as admission sees it.

use std::path::{Component, Path, PathBuf};

use hermes_admission::{ReadFault, ReadFaultKind, SourceTree};

use crate::files;

/// The files of one folder. Links are read through: a plugin may be one, and may hold some.
#[derive(Debug, Clone)]
pub struct DirTree {
    root: PathBuf,
}

impl DirTree {
    /// The tree below a folder.
    pub fn new(root: &Path) -> Self {
        Self {
            root: root.to_owned(),
        }
    }

    /// The folder.
    pub fn root(&self) -> &Path {
        &self.root
    }
}

impl SourceTree for DirTree {
    fn read(&self, name: &str, limit: usize) -> Result<Option<Vec<u8>>, ReadFault> {
        let relative = Path::new(name);
        let is_plain = |part: Component<'_>| matches!(part, Component::Normal(_));
        if name.is_empty() || name.contains(['\0', '\\']) || !relative.components().all(is_plain) {
            let message = format!("`{}` leads out of the folder", name.escape_debug());
            return Err(ReadFault {
                kind: ReadFaultKind::NotAFile,
                message,
            });
        }
        match files::read(&self.root.join(relative), limit)? {
            Some(bytes) => Ok(Some(bytes)),
            None => self.root_is_there().map(|()| None),
        }
    }
}

impl DirTree {
    /// A file that is absent because its root cannot be looked into is not an absent file (C6).
    fn root_is_there(&self) -> Result<(), ReadFault> {
        match std::fs::read_dir(&self.root) {
            Ok(_) => Ok(()),
            Err(error) => Err(ReadFault {
                kind: ReadFaultKind::Unreadable,
                message: format!("the folder cannot be read: {error}"),
            }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kind(result: Result<Option<Vec<u8>>, ReadFault>) -> Result<Option<Vec<u8>>, ReadFaultKind> {
        result.map_err(|fault| fault.kind)
    }

    /// D10: what is not a small regular file is named, quickly, and never read.
    #[cfg(unix)]
    #[test]
    fn d10_special_files_are_refused() {
        let dir = tempfile::tempdir().unwrap();
        let at = |name: &str| dir.path().join(name);
        std::fs::write(at("plain"), "abc").unwrap();
        std::os::unix::fs::symlink("plain", at("link")).unwrap();
        std::os::unix::fs::symlink("/dev/zero", at("zero")).unwrap();
        std::os::unix::fs::symlink("nowhere", at("dangling")).unwrap();
        std::fs::create_dir(at("folder")).unwrap();
        assert!(
            std::process::Command::new("mkfifo")
                .arg(at("fifo"))
                .status()
                .unwrap()
                .success()
        );
        std::fs::File::create(at("sparse"))
            .unwrap()
            .set_len(1 << 40)
            .unwrap();
        let tree = DirTree::new(dir.path());
        let read = |name| kind(tree.read(name, 3));
        assert_eq!(read("plain"), Ok(Some(b"abc".to_vec())));
        assert_eq!(read("link"), Ok(Some(b"abc".to_vec())));
        assert_eq!(read("dangling"), Ok(None));
        assert_eq!(read("absent"), Ok(None));
        assert_eq!(kind(tree.read("plain", 2)), Err(ReadFaultKind::TooLarge));
        assert_eq!(read("sparse"), Err(ReadFaultKind::TooLarge));
        for name in ["zero", "folder", "fifo", "..", "/etc/passwd", "a/../b", ""] {
            assert_eq!(read(name), Err(ReadFaultKind::NotAFile), "{name:?}");
        }
    }

    /// C06: a root that is gone is unreadable, not empty.
    #[test]
    fn c06_a_root_that_is_gone_is_not_empty() {
        let tree = DirTree::new(Path::new("/nonexistent/root"));
        assert_eq!(kind(tree.read("plugin.yaml", 10)), Err(ReadFaultKind::Unreadable));
    }
}
