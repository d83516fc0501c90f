-- An organization begins without a team. Teams that came with their organization stay, and can be deleted.

DROP TRIGGER organization_first_team;
DROP TRIGGER first_member_in_team;
DROP TRIGGER last_team;
