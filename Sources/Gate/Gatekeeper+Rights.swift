internal import Contract

/// What the store says about the rights of those who are connected.
extension Gatekeeper {
    func facts(of session: Session) -> AccessFacts {
        guard case .device(_, let user) = session.principal else { return AccessFacts() }
        return facts(of: user)
    }

    /// No rights, if they cannot be read.
    func facts(of user: Name) -> AccessFacts {
        do throws(AccessSourceError) {
            return try rights.user(user)?.facts ?? AccessFacts()
        } catch {
            return AccessFacts()
        }
    }

    /// Applies changes in the store.
    func refresh(at now: Duration) {
        if let changed = rights.refresh(at: now) {
            for user in changed where clientsByUser[user] != nil { unreviewed.insert(user) }
        } else {
            unreviewed = Set(clientsByUser.keys)
        }
        guard !unreviewed.isEmpty, now >= nextReview else { return }
        // Not all at once, since the broker waits for this. Sessions that do something are reviewed
        // anyway.
        nextReview = now + AccessPolicy.freshness
        for user in Array(unreviewed.prefix(Gatekeeper.reviewsAtOnce)) {
            if !review(user, at: now) { nextReview = now + Rights.patience }
        }
    }

    private static let reviewsAtOnce = 20

    /// Whether the session's rights are known; otherwise it may do nothing.
    ///
    /// - Parameter match: where it publishes or receives. The service's own programs report, and the
    ///   operator reads, how the service is even if no rights can be read.
    func isKnown(_ session: Session, for match: AccessPolicy.TopicMatch? = nil, at now: Duration)
        -> Bool
    {
        guard rights.isTrusted(at: now) else {
            guard let match, case .system = session.principal else { return false }
            return policy.isReport(match)
        }
        guard !unreviewed.isEmpty, case .device(_, let user) = session.principal,
            unreviewed.contains(user)
        else { return true }
        return review(user, at: now)
    }

    /// - Returns: false if the rights cannot be read.
    private func review(_ name: Name, at now: Duration) -> Bool {
        let user: UserAccess?
        do throws(AccessSourceError) { user = try rights.user(name) } catch { return false }
        unreviewed.remove(name)
        let clients = clientsByUser[name] ?? []
        for session in clients.compactMap({ sessions[$0] }) {
            guard case .device(let device, _) = session.principal else { continue }
            if user?.tokenHashes[device] != session.tokenHash, !session.isRevoked {
                session.isRevoked = true
                let patience =
                    session.hearsRepliesAlone ? Gatekeeper.lastWords : Gatekeeper.delivery
                cutOff(session, by: now + patience)
            }
            // Messages queued for it at the broker are only checked again when it reconnects.
            let sources = user?.facts.sources ?? AccessSources()
            if !session.queued.isSubset(of: sources) {
                cutOff(session, by: now + Gatekeeper.delivery)
            }
            session.queued = session.queued.intersection(sources)
                .union(session.queued(of: sources))
        }
        return true
    }
}
