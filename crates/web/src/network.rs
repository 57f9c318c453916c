//! The addresses under which other machines reach this one.

use std::net::{IpAddr, Ipv4Addr, UdpSocket};

/// Nobody is there: it only makes the system say which way it would go out (RFC 5737).
const ANYWHERE: (Ipv4Addr, u16) = (Ipv4Addr::new(192, 0, 2, 1), 9);

/// All of them, the likeliest first: that of the way out, then private ones.
pub(crate) fn addresses() -> Vec<IpAddr> {
    let mut found: Vec<IpAddr> = way_out().into_iter().collect();
    let mut others = interfaces();
    others.sort_by_key(|address| !is_private(*address));
    for address in others {
        if !found.contains(&address) {
            found.push(address);
        }
    }
    found.retain(|address| can_be_opened(*address));
    found
}

/// Our own address on the way to elsewhere; no packet is sent.
fn way_out() -> Option<IpAddr> {
    let socket = UdpSocket::bind((Ipv4Addr::UNSPECIFIED, 0)).ok()?;
    socket.connect(ANYWHERE).ok()?;
    Some(socket.local_addr().ok()?.ip())
}

#[cfg(unix)]
fn interfaces() -> Vec<IpAddr> {
    let addresses = nix::ifaddrs::getifaddrs().into_iter().flatten();
    let ip = |address: nix::sys::socket::SockaddrStorage| {
        let four = address.as_sockaddr_in().map(|address| IpAddr::from(address.ip()));
        four.or_else(|| address.as_sockaddr_in6().map(|address| IpAddr::from(address.ip())))
    };
    addresses.filter_map(|interface| interface.address.and_then(ip)).collect()
}

#[cfg(not(unix))]
fn interfaces() -> Vec<IpAddr> {
    Vec::new()
}

fn is_private(address: IpAddr) -> bool {
    matches!(address, IpAddr::V4(address) if address.is_private())
}

/// Whether a browser of another machine can be given it. Link-local addresses of IPv6 need the name
/// of an interface, which no browser takes.
fn can_be_opened(address: IpAddr) -> bool {
    let is_local = match address {
        IpAddr::V4(address) => address.is_link_local(),
        IpAddr::V6(address) => address.is_unicast_link_local(),
    };
    !address.is_loopback() && !address.is_unspecified() && !is_local
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_can_be_bound_here_and_is_no_loopback() {
        for address in addresses() {
            assert!(!address.is_loopback());
            UdpSocket::bind((address, 0)).unwrap_or_else(|why| panic!("{address}: {why}"));
        }
    }

    #[test]
    fn what_phones_cannot_open_is_left_out() {
        let of = |text: &str| can_be_opened(text.parse().expect("an address"));
        for bad in ["127.0.0.1", "0.0.0.0", "::1", "::", "fe80::1", "169.254.3.4"] {
            assert!(!of(bad), "{bad}");
        }
        assert!(of("192.168.1.7") && of("2001:db8::7"));
    }
}
