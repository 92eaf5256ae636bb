struct Ex{int v;}; struct D{~D();}; void may(int); int tr(int x){ D d; try { may(x); D e; may(x+1);} catch(Ex&e){ return e.v;} catch(...){ throw; } return 0; }
