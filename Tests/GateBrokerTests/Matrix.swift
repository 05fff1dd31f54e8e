import TestTown

/// Who may do what, written down from the contract (section 3) and by nobody's code.
///
/// Alice has a phone and a tablet; Bob is in the family with her, Carol in no group. Alice shows
/// Carol where she is, and Bob has her on his list and shows nothing; Carol shows Alice where she
/// is, who has blocked her. `visitor` and `passer` are guests. `s`: may subscribe; `r`: receives what was published; `p`: may
/// publish; `P`: also to be retained; `-`: nothing of it. Where nobody may publish, nothing can
/// be received.
enum Matrix {
    static let columns = [
        "visitor", "passer", "alice.phone", "alice.tablet", "bob.phone", "carol.phone",
        "kith:bridge", "kith:operator", "kith:dispatch",
    ]

    static let text = """
        kith/users/alice/devices/phone/fix                       - - srp - - - sr - -
        kith/users/alice/devices/phone/status                    - - srpP - - - srpP - -
        kith/users/alice/devices/phone/requests/group.create     - - srp - - - sr - -
        kith/users/alice/devices/phone/replies                   - - sr - - - p - -
        kith/users/alice/devices/phone/replies/a/b               - - sr - - - p - -
        kith/users/alice/devices/phone/rejected                  - - sr - - - p - -
        kith/users/alice/devices/phone/stored                    - - sr - - - p - -
        kith/users/alice/devices/phone/unheard-of                - - - - - - - - -
        kith/users/alice/devices/laptop/fix                      - - - - - - s - -
        kith/users/alice/groups                                  - - sr sr - - srpP - -
        kith/users/alice/notices                                 - - sr sr - - p - -
        kith/users/alice/location                                - - sr sr - sr srpP - -
        kith/users/bob/location                                  - - - - sr - srpP - -
        kith/users/carol/location                                - - - - - sr srpP - -
        kith/users/nobody/location                               - - - - - - srpP - -
        kith/users/alice                                         - - - - - - - - -
        owntracks/alice/phone                                    - - srpP sr - - srpP - -
        owntracks/alice/Phone                                    - - srpP sr - - srpP - -
        owntracks/alice/phone/event                              - - srp sr - - srpP - -
        owntracks/alice/phone/waypoint                           - - srp sr - - srpP - -
        owntracks/alice/phone/cmd                                - - sr sr - - srpP - -
        owntracks/alice/phone/a/b                                - - - - - - - - -
        owntracks/alice/@bob                                     - - sr sr - - srpP - -
        owntracks/alice/@bob/info                                - - sr sr - - srpP - -
        owntracks/alice/@bob/event                               - - sr sr - - srpP - -
        owntracks/alice                                          - - - - - - - - -
        kith/groups/FamilyFamilyFamily_-09                       - - sr sr sr - srpP - -
        kith/groups/FamilyFamilyFamily_-09/members/alice         - - sr sr sr - srpP - -
        kith/groups/FamilyFamilyFamily_-09/members/carol         - - sr sr sr - srpP - -
        kith/groups/FamilyFamilyFamily_-09/members/alice/path/1  - - sr sr sr - srpP - -
        kith/groups/FamilyFamilyFamily_-09/alerts                - - sr sr sr - srp - -
        kith/groups/FamilyFamilyFamily_-09/chat                  - - sr sr sr - srp - -
        kith/groups/FamilyFamilyFamily_-09/members               - - - - - - - - -
        kith/groups/WorkWorkWorkWorkWork00                       - - - - - - srpP - -
        kith/groups/WorkWorkWorkWorkWork00/alerts                - - - - - - srp - -
        kith/groups/short/alerts                                 - - - - - - - - -
        kith/guests/visitor/requests/account.login               srp - - - - - sr - -
        kith/guests/visitor/replies                              sr - - - - - p - -
        kith/guests/visitor/replies/a                            sr - - - - - p - -
        kith/guests/alice.phone/requests/account.login           - - - - - - s - -
        kith/guests/alice.phone/replies                          - - - - - - p - -
        kith/services/myheart/replies                            - - - - - - - - -
        kith/dispatch/incidents/one                              - - - - - - - - -
        kith/runs/one                                            - - - - - - - - -
        kith/places/one                                          - - - - - - - - -
        kith/system/status                                       - - - - - - srpP sr -
        kith/system/metrics/fixes                                - - - - - - srpP sr -
        kith/system/requests/place.import                        - - - - - - - - -
        kith/bridge/marker                                       - - - - - - srp - -
        kith/bridge/connections                                  - - - - - - s - -
        kith/unheard-of                                          - - - - - - - - -
        kith                                                     - - - - - - - - -
        unheard-of/users/alice/devices/phone/fix                 - - - - - - - - -
        """
}
