//! What a new file takes over from the one that it replaces: owner, mode, access list and other extended attributes.

use std::fs::{File, Permissions};
use std::io;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::Path;

use rustix::fs::{Gid, Uid, fchown};

use super::FileFacts;
use crate::platform::shared::words_about_links;
#[cfg(target_os = "linux")]
use attributes::Attributes;
#[cfg(not(target_os = "linux"))]
use attributes::ModeOnly as Attributes;

/// A file that is to be replaced, as it was found.
#[derive(Debug, Clone)]
pub(crate) struct Replaced {
    mode: u32,
    /// Its owner and group.
    owner: (u32, u32),
    /// The number of its names.
    names: u64,
    attributes: Attributes,
}

impl Replaced {
    /// The file at `path`, about which this is known.
    pub(crate) fn examine(path: &Path, FileFacts(metadata): &FileFacts) -> Self {
        Self {
            mode: metadata.mode() & 0o777,
            owner: (metadata.uid(), metadata.gid()),
            names: metadata.nlink(),
            attributes: Attributes::of(path),
        }
    }

    /// Gives the new file the owner and group of the old one. A user who may not give files away becomes the owner, as of
    /// any new file; but if the group cannot be kept either, and has other permissions than everybody, this is refused,
    /// because another group would get them. For root, it always is.
    ///
    /// # Errors
    /// Why the file cannot be given its owner, as words that follow its name; or the file cannot be examined.
    pub(crate) fn give_owner(&self, file: &File) -> io::Result<Result<(), String>> {
        let (owner, group) = self.owner;
        let now = file.metadata()?;
        if (now.uid(), now.gid()) == (owner, group) {
            return Ok(Ok(()));
        }
        let (uid, gid) = (Uid::from_raw(owner), Gid::from_raw(group));
        let Err(error) = fchown(file, Some(uid), Some(gid)) else { return Ok(Ok(())) };
        let group_kept = now.gid() == group || fchown(file, None, Some(gid)).is_ok();
        if !rustix::process::geteuid().is_root() && (group_kept || !self.group_is_special()) {
            return Ok(Ok(()));
        }
        let why = io::Error::from(error);
        Ok(Err(format!("belongs to user {owner} and group {group}, which its replacement cannot be given ({why})")))
    }

    /// Whether the group of the file has other permissions than everybody.
    fn group_is_special(&self) -> bool {
        self.attributes.group(self.mode) != self.mode & 7
    }

    /// Gives the new file the attributes, the access list and the mode of the old one, and adds to `lost` what cannot be
    /// kept. Whatever that is, nobody may do more with the new file than with the old one.
    pub(crate) fn give_access(&self, file: &File, lost: &mut Vec<String>) -> io::Result<()> {
        let mode = self.attributes.give(file, self.mode, lost);
        file.set_permissions(Permissions::from_mode(mode))?;
        if mode != self.mode {
            lost.push(format!("its mode is {mode:03o} now, so that nobody may do more than before"));
        }
        lost.extend(words_about_links(self.names));
        Ok(())
    }
}

#[cfg(target_os = "linux")]
mod attributes {
    use std::collections::BTreeMap;
    use std::ffi::{CStr, CString};

    use rustix::fs::{XattrFlags, fgetxattr, fremovexattr, fsetxattr, lgetxattr, llistxattr};
    use rustix::io::Errno;

    use super::*;
    use crate::error::escape;

    /// The attribute that holds the POSIX access list.
    const ACCESS_LIST: &CStr = c"system.posix_acl_access";
    /// What belongs to the contents or to a program, not to the name: capabilities, signatures.
    const NOT_KEPT: [&CStr; 3] = [c"security.capability", c"security.evm", c"security.ima"];
    /// The longest list of names and the longest value that Linux allows.
    const LONGEST: usize = 64 << 10;

    /// The extended attributes of a file.
    #[derive(Debug, Clone)]
    pub(super) struct Attributes {
        list: AccessList,
        others: BTreeMap<CString, Vec<u8>>,
        /// Why there may be others.
        unknown: Option<Errno>,
    }

    #[derive(Debug, Clone)]
    enum AccessList {
        None,
        Some(PosixList),
        /// The system did not say.
        Unknown(Errno),
    }

    /// A POSIX access list, and the permissions of those who are not named in it.
    #[derive(Debug, Clone)]
    struct PosixList {
        bytes: Vec<u8>,
        /// What the group of the file may do.
        group: u32,
        /// What all users who are named may do, and all groups.
        users: u32,
        groups: u32,
    }

    impl Attributes {
        pub(super) fn of(path: &Path) -> Self {
            let list = match value(|buffer| lgetxattr(path, ACCESS_LIST, buffer)) {
                Ok(None) => AccessList::None,
                Ok(Some(bytes)) => PosixList::parse(bytes).map_or(AccessList::Unknown(Errno::INVAL), AccessList::Some),
                Err(error) => AccessList::Unknown(error),
            };
            let (mut others, mut unknown) = (BTreeMap::new(), None);
            let names = value(|buffer| llistxattr(path, buffer)).unwrap_or_else(|error| {
                unknown = Some(error);
                None
            });
            for name in names.iter().flat_map(|names| names.split_inclusive(|&byte| byte == 0)) {
                let Ok(name) = CStr::from_bytes_with_nul(name) else { continue };
                if name == ACCESS_LIST || NOT_KEPT.contains(&name) {
                    continue;
                }
                match value(|buffer| lgetxattr(path, name, buffer)) {
                    Ok(Some(value)) => drop(others.insert(name.to_owned(), value)),
                    Ok(None) => {}
                    Err(error) => unknown = Some(error),
                }
            }
            Self { list, others, unknown }
        }

        /// The permissions of the group of a file with this mode. (With an access list, the bits of the mode are the most
        /// that anybody in the list may have.)
        pub(super) fn group(&self, mode: u32) -> u32 {
            match &self.list {
                AccessList::Some(list) => list.group,
                AccessList::None | AccessList::Unknown(_) => mode >> 3 & 7,
            }
        }

        /// Gives the attributes to a file that only its owner may use so far. Returns the mode that the file may have.
        pub(super) fn give(&self, file: &File, mode: u32, lost: &mut Vec<String>) -> u32 {
            let mut mode = mode;
            if let Some(error) = self.unknown {
                lost.push(format!("extended attributes cannot be read and are not kept ({})", words(error)));
            }
            for (name, wanted) in &self.others {
                if value(|buffer| fgetxattr(file, name, buffer)).is_ok_and(|now| now.as_ref() == Some(wanted)) {
                    continue;
                }
                if let Err(error) = fsetxattr(file, name, wanted, XattrFlags::empty()) {
                    let shown = escape(name.to_bytes());
                    lost.push(format!("the extended attribute {shown} cannot be kept ({})", words(error)));
                    // Access lists of other systems.
                    if name.to_bytes().starts_with(b"system.") {
                        mode &= 0o700;
                    }
                }
            }
            match &self.list {
                AccessList::Some(list) => match fsetxattr(file, ACCESS_LIST, &list.bytes, XattrFlags::empty()) {
                    Ok(()) => return mode,
                    Err(error) => {
                        lost.push(format!("its access list cannot be kept ({})", words(error)));
                        mode = list.without(mode);
                    }
                },
                AccessList::None => {}
                AccessList::Unknown(error) => {
                    lost.push(format!("its access list cannot be read and is not kept ({})", words(*error)));
                    mode &= 0o700;
                }
            }
            // New files get the default list of the folder.
            match fremovexattr(file, ACCESS_LIST) {
                Ok(()) | Err(Errno::NODATA | Errno::NOTSUP | Errno::NOSYS) => mode,
                Err(error) => match value(|buffer| fgetxattr(file, ACCESS_LIST, buffer)) {
                    Ok(None) => mode,
                    _ => {
                        lost.push(format!(
                            "the access list that the folder gives cannot be removed ({})",
                            words(error)
                        ));
                        mode & 0o700
                    }
                },
            }
        }
    }

    impl PosixList {
        /// Reads the value of the attribute: a version, and entries of a tag, permissions and a number.
        fn parse(bytes: Vec<u8>) -> Option<Self> {
            const ENTRY: usize = 8;
            let entries = bytes.strip_prefix(&2u32.to_le_bytes()).filter(|rest| rest.len() % ENTRY == 0)?;
            let (mut users, mut groups, mut group, mut mask) = (None, None, None, 7);
            for entry in entries.chunks_exact(ENTRY) {
                let may = u32::from(u16::from_le_bytes([entry[2], entry[3]])) & 7;
                match u16::from_le_bytes([entry[0], entry[1]]) {
                    0x02 => users = Some(users.unwrap_or(7) & may),
                    0x04 => group = Some(may),
                    0x08 => groups = Some(groups.unwrap_or(7) & may),
                    0x10 => mask = may,
                    0x01 | 0x20 => {} // the mode has those of the owner and of others
                    _ => return None,
                }
            }
            // The mask limits all but the owner and others.
            let all = |may: Option<u32>| may.map_or(7, |may| may & mask);
            Some(Self { group: group? & mask, users: all(users), groups: all(groups), bytes })
        }

        /// The mode of a file without this list: those who were named count as members of the group, or as others.
        fn without(&self, mode: u32) -> u32 {
            mode & 0o700 | (self.group & self.users) << 3 | mode & 7 & self.users & self.groups
        }
    }

    fn words(error: Errno) -> io::Error {
        error.into()
    }

    /// Calls a function that fills a buffer. `None` if there is no such attribute, or none at all on this file system.
    fn value(get: impl Fn(&mut [u8]) -> Result<usize, Errno>) -> Result<Option<Vec<u8>>, Errno> {
        let mut buffer = vec![0; LONGEST];
        match get(&mut buffer) {
            Ok(length) => {
                buffer.truncate(length);
                buffer.shrink_to_fit();
                Ok(Some(buffer))
            }
            Err(Errno::NODATA | Errno::NOTSUP | Errno::NOSYS) => Ok(None),
            Err(error) => Err(error),
        }
    }
}

/// Where attributes are not known.
#[cfg(not(target_os = "linux"))]
mod attributes {
    use super::*;

    /// Stands for the extended attributes of a file, of which only the mode is known.
    #[derive(Debug, Clone)]
    pub(super) struct ModeOnly;

    impl ModeOnly {
        pub(super) fn of(_: &Path) -> Self {
            Self
        }

        /// The permissions of the group of a file with this mode.
        #[allow(clippy::unused_self)]
        pub(super) fn group(&self, mode: u32) -> u32 {
            mode >> 3 & 7
        }

        /// Gives the attributes to a file. Returns the mode that it may have.
        #[allow(clippy::unused_self)]
        pub(super) fn give(&self, _: &File, mode: u32, _: &mut Vec<String>) -> u32 {
            mode
        }
    }
}
